/** Where archives are kept: a branch that only grows, in a repository here or at GitHub. */
export interface ArchiveBranch {
  /** For people: which branch of what. */
  readonly name: string;
  /** A folder beside the branch, never on it, for redacted text. */
  readonly vault: string;
  /** Whether files that are put there together are seen together, or one after the other. */
  readonly atomic: boolean;
  /** How the branch is now. */
  look(): Promise<Look>;
  /** The bytes of files, by the ids they have in a look, in that order. */
  read(ids: readonly string[]): Promise<Buffer[]>;
  /**
   * Puts files on the branch, on top of the commit that was read. All of them or none; where the transport can only do one at a
   * time, in order. `moved`: the branch has moved, look again.
   */
  commit(look: Look, change: Change): Promise<{ readonly commit: string } | 'moved'>;
}

/** A branch at one moment. */
export interface Look {
  /** The commit it is at; none if there is no such branch yet. */
  readonly tip: string | undefined;
  readonly files: ReadonlyMap<string, StoredFile>;
}

export interface StoredFile {
  readonly id: string;
  readonly bytes: number;
}

export interface Change {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly message: string;
}
