import { exactInteger } from './json.ts';
import { type Operation, stepAt, timestamp } from './operations.ts';
import type { Settings } from './settings.ts';
import type { Account, Branch, Key, Project } from './state.ts';

export function createdKeyBody(key: Key) {
  return {
    id: exactInteger(key.id),
    key: key.key,
    name: key.name,
    created_at: timestamp(key.createdAt),
    created_by: key.account.id,
  };
}

export function listedKeyBody(key: Key, neverUsed: Settings['keys']['neverUsed']) {
  return {
    ...commonKeyFields(key, neverUsed),
    created_by: { id: key.account.id, name: key.account.name, image: '' },
  };
}

export function revokedKeyBody(key: Key, neverUsed: Settings['keys']['neverUsed']) {
  return { ...commonKeyFields(key, neverUsed), created_by: key.account.id, revoked: true };
}

function commonKeyFields(key: Key, neverUsed: Settings['keys']['neverUsed']) {
  const lastUsed = key.lastUsedAt === undefined ? null : timestamp(key.lastUsedAt);
  return {
    id: exactInteger(key.id),
    name: key.name,
    created_at: timestamp(key.createdAt),
    ...((lastUsed !== null || neverUsed === 'null') && { last_used_at: lastUsed }),
    last_used_from_addr: key.lastUsedFrom ?? '',
  };
}

/** A project as the listing gives it. */
export function listedProjectBody(project: Project) {
  return { active_time: 0, ...commonProjectFields(project) };
}

/** A project as an endpoint for one project gives it. */
export function projectBody(project: Project) {
  return {
    ...commonProjectFields(project),
    data_storage_bytes_hour: 0,
    data_transfer_bytes: 0,
    written_data_bytes: 0,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    history_retention_seconds: 86_400,
    consumption_period_start: timestamp(project.createdAt),
    consumption_period_end: timestamp(project.createdAt),
  };
}

function commonProjectFields(project: Project) {
  return {
    platform_id: 'aws',
    region_id: 'aws-us-east-2',
    provisioner: 'k8s-neonvm',
    pg_version: 17,
    proxy_host: 'us-east-2.aws.example',
    cpu_used_sec: 0,
    branch_logical_size_limit: 512,
    branch_logical_size_limit_bytes: 536_870_912,
    locked: false,
    store_passwords: true,
    creation_source: 'console',
    created_at: timestamp(project.createdAt),
    updated_at: timestamp(project.createdAt),
    owner_id: project.account.id,
    ...(project.account.orgId && { org_id: project.account.orgId }),
    ...project.fields,
    id: project.id,
  };
}

export function branchBody(branch: Branch, project: Project, now: number) {
  const { status } = branch.createdBy ? stepAt(branch.createdBy, now) : { status: 'finished' };
  return {
    id: branch.id,
    project_id: project.id,
    ...(branch.parentId && { parent_id: branch.parentId }),
    name: branch.name,
    current_state: status === 'finished' ? 'ready' : 'init',
    ...(status !== 'finished' && { pending_state: 'ready' }),
    state_changed_at: timestamp(branch.createdAt),
    creation_source: 'console',
    default: branch === project.defaultBranch,
    protected: false,
    cpu_used_sec: 0,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    created_at: timestamp(branch.createdAt),
    updated_at: timestamp(branch.createdAt),
  };
}

export function endpointBody(
  id: string,
  branch: Branch,
  start: Operation | undefined,
  now: number,
) {
  const isUp = !start || stepAt(start, now).status === 'finished';
  return {
    host: hostOf(id),
    id,
    project_id: branch.projectId,
    branch_id: branch.id,
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 2,
    region_id: 'aws-us-east-2',
    type: 'read_write',
    current_state: isUp ? 'active' : 'init',
    ...(!isUp && { pending_state: 'active' }),
    settings: {},
    pooler_enabled: false,
    pooler_mode: 'transaction',
    disabled: false,
    passwordless_access: true,
    creation_source: 'console',
    created_at: timestamp(branch.createdAt),
    updated_at: timestamp(branch.createdAt),
    proxy_host: 'us-east-2.aws.example',
    suspend_timeout_seconds: 0,
    provisioner: 'k8s-neonvm',
  };
}

/** A connection string with a password in it: the reason why such a body belongs in no log. */
export function connectionBody(endpointId: string, password: string) {
  const host = hostOf(endpointId);
  return {
    connection_uri: `postgresql://owner:${password}@${host}/appdb?sslmode=require`,
    connection_parameters: {
      database: 'appdb',
      password,
      role: 'owner',
      host,
      pooler_host: host.replace('.', '-pooler.'),
    },
  };
}

export function roleBody(branch: Branch, password?: string) {
  return {
    branch_id: branch.id,
    name: 'owner',
    ...(password && { password }),
    protected: false,
    created_at: timestamp(branch.createdAt),
    updated_at: timestamp(branch.createdAt),
  };
}

export function databaseBody(branch: Branch) {
  return {
    id: 1,
    branch_id: branch.id,
    name: 'appdb',
    owner_name: 'owner',
    created_at: timestamp(branch.createdAt),
    updated_at: timestamp(branch.createdAt),
  };
}

/** Nobody annotates anything here, but a branch on its own comes with one. */
export function annotationBody(branch: Branch) {
  return { object: { type: 'console/branch', id: branch.id }, value: {} };
}

export function userBody(account: Account) {
  return { id: account.id, name: account.name, login: account.name };
}

function hostOf(endpointId: string): string {
  return `${endpointId}.us-east-2.aws.example`;
}
