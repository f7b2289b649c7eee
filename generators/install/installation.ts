/** What `fw generate fw:install <name>` adds to an application: data, which a plugin of the framework has beside its code. */
export interface Installation {
  /** Of the plugin, or of the part of it that is added. */
  readonly name: string;
  /** As the summary of a generator. */
  readonly summary: string;
  /** What it adds to plugins.config.ts, by the names there: "savedViews". */
  readonly plugins?: readonly string[];
  /** Other installations, which come first. */
  readonly needs?: readonly string[];
  /** The file whose tables a migration creates, those that are missing. */
  readonly schema?: string;
  /** Optional packages that it needs, in the versions that the framework names. */
  readonly packages?: Readonly<Partial<Record<"dependencies" | "devDependencies", readonly string[]>>>;
  /** Printed in the end, below `npx fw db:migrate`. */
  readonly next?: readonly string[];
  /** The name of a generator that does the same, of its own. */
  readonly alias?: string;
}
