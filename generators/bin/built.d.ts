/** The built command. */
export const entry: string;
/** The file in dist/ that records the sources of the build. */
export const record: string;
/** A digest of the source files; undefined in an installed package, which has none. */
export function sourcesDigest(): string | undefined;
/** A digest of the sizes and times of the source files; undefined in an installed package. */
export function sourcesState(): string | undefined;
/** Whether this package runs from dist/. */
export function isBuilt(): boolean;
