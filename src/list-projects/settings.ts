/** What the listing is asked to do: typed and checked. */
export interface ListSettings {
  readonly filter: Filter;
  /** For services that list by organisation. */
  readonly orgId: string | undefined;
  /** Relative to the workspace; undefined: a file of its own. */
  readonly outputFile: string | undefined;
}

/** Which projects are wanted. An undefined list takes all, an empty one none. */
export interface Filter {
  /** Globs; a leading `!` excludes. */
  readonly names: readonly string[] | undefined;
  readonly regionIds: readonly string[] | undefined;
  readonly platformIds: readonly string[] | undefined;
  /** Decimal digits. */
  readonly pgVersions: readonly string[] | undefined;
}
