import type { Repository, StoredSecret } from './state.ts';

/** GitHub's times have no fractions: `2026-01-01T00:00:00Z`. */
export function githubTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `url` is that of the secret itself. */
export function secretBody(secret: StoredSecret, url: string) {
  return {
    name: secret.name,
    created_at: githubTime(secret.createdAt),
    updated_at: githubTime(secret.updatedAt),
    ...(secret.visibility && { visibility: secret.visibility }),
    ...(secret.visibility === 'selected' && { selected_repositories_url: `${url}/repositories` }),
  };
}

/** What follows a repository's address in the addresses of what belongs to it, as templates. */
const parts = {
  archive: '/{archive_format}{/ref}',
  assignees: '/assignees{/user}',
  blobs: '/git/blobs{/sha}',
  branches: '/branches{/branch}',
  collaborators: '/collaborators{/collaborator}',
  comments: '/comments{/number}',
  commits: '/commits{/sha}',
  compare: '/compare/{base}...{head}',
  contents: '/contents/{+path}',
  contributors: '/contributors',
  deployments: '/deployments',
  downloads: '/downloads',
  events: '/events',
  forks: '/forks',
  git_commits: '/git/commits{/sha}',
  git_refs: '/git/refs{/sha}',
  git_tags: '/git/tags{/sha}',
  hooks: '/hooks',
  issue_comment: '/issues/comments{/number}',
  issue_events: '/issues/events{/number}',
  issues: '/issues{/number}',
  keys: '/keys{/key_id}',
  labels: '/labels{/name}',
  languages: '/languages',
  merges: '/merges',
  milestones: '/milestones{/number}',
  notifications: '/notifications{?since,all,participating}',
  pulls: '/pulls{/number}',
  releases: '/releases{/id}',
  stargazers: '/stargazers',
  statuses: '/statuses/{sha}',
  subscribers: '/subscribers',
  subscription: '/subscription',
  tags: '/tags',
  teams: '/teams',
  trees: '/git/trees{/sha}',
};

/** A repository as listings give it. */
export function minimalRepositoryBody(repository: Repository, apiUrl: string) {
  const [owner = '', name = ''] = repository.fullName.split('/');
  const url = `${apiUrl}/repos/${repository.fullName}`;
  const addresses = Object.entries(parts).map(([part, path]) => [`${part}_url`, url + path]);
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name,
    full_name: repository.fullName,
    owner: ownerBody(owner, apiUrl),
    private: repository.private,
    html_url: `https://github.com/${repository.fullName}`,
    description: null,
    fork: false,
    url,
    ...Object.fromEntries(addresses),
  };
}

/** A repository as its own endpoint gives it. */
export function repositoryBody(repository: Repository, apiUrl: string) {
  const htmlUrl = `https://github.com/${repository.fullName}`;
  const created = githubTime(repository.createdAt);
  return {
    ...minimalRepositoryBody(repository, apiUrl),
    git_url: `git://github.com/${repository.fullName}.git`,
    ssh_url: `git@github.com:${repository.fullName}.git`,
    clone_url: `${htmlUrl}.git`,
    svn_url: htmlUrl,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    visibility: repository.private ? 'private' : 'public',
    default_branch: 'main',
    ...{ has_issues: true, has_projects: true, has_wiki: true },
    ...{ has_pages: false, has_discussions: false, archived: false, disabled: false },
    ...{ size: 1, forks: 0, forks_count: 0, open_issues: 0, open_issues_count: 0 },
    ...{ watchers: 0, watchers_count: 0, stargazers_count: 0 },
    ...{ subscribers_count: 0, network_count: 0 },
    created_at: created,
    updated_at: created,
    pushed_at: created,
  };
}

function ownerBody(login: string, apiUrl: string) {
  const url = `${apiUrl}/users/${login}`;
  return {
    login,
    id: 1,
    node_id: nodeId('O', 1),
    avatar_url: 'https://avatars.githubusercontent.com/u/1',
    gravatar_id: '',
    url,
    html_url: `https://github.com/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: 'Organization',
    site_admin: false,
  };
}

function nodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(String(id)).toString('base64url')}`;
}
