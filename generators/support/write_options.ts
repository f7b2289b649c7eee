/** The options that everything takes that writes files. */
export const writeOptions = {
  "dry-run": { summary: "Print the diff and write nothing" },
  force: { summary: "Overwrite files that were edited" },
  skip: { summary: "Leave edited files alone without asking" },
} as const;

export interface WriteOptions {
  dryRun?: boolean;
  force?: boolean;
  skip?: boolean;
}
