import type { Secret } from '../secret.ts';
import type { RotationOrder } from './rotation.ts';

/** A place that a GitHub secret is stored in. */
export type Target =
  | { readonly kind: 'repository' | 'dependabot'; readonly owner: string; readonly repo: string }
  | {
      readonly kind: 'environment';
      readonly owner: string;
      readonly repo: string;
      readonly environment: string;
    }
  | { readonly kind: 'organization'; readonly org: string };

/** What the rotation is asked to do: typed and checked. */
export interface RotateSettings {
  readonly order: RotationOrder;
  /** Where the new key is stored; undefined: nowhere, the workflow takes it from the outputs. */
  readonly store: StoreSettings | undefined;
}

export interface StoreSettings {
  readonly secretName: string;
  readonly targets: readonly Target[];
  readonly token: Secret;
}

/** The target as `secret-targets` writes it, in full. */
export function targetName(target: Target): string {
  switch (target.kind) {
    case 'organization':
      return `organization:${target.org}`;
    case 'environment':
      return `environment:${target.owner}/${target.repo}/${target.environment}`;
    default:
      return `${target.kind}:${target.owner}/${target.repo}`;
  }
}
