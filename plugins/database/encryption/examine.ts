import type { Finding } from "framewright/host";
import type { Knex } from "knex";
import type { ModelInfo } from "../models/model_info.ts";
import { type EncryptedCount, encryptedModels, encryptRows } from "./encrypt_rows.ts";

/** What `fw doctor` finds of the encrypted columns of each model. It reads all rows of their tables. */
export async function examineEncrypted(knex: Knex, models: readonly ModelInfo[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const info of encryptedModels(models, undefined)) {
    if (!info.settled) continue; // the migrations that have not run are another finding
    const problems = problemsOf(info, await encryptRows(knex, info, { writes: false }));
    findings.push({
      what: `encrypted attributes of ${info.constant}`,
      ok: problems.length === 0,
      detail: problems.length > 0 ? problems.join("; ") : allEncrypted(info),
    });
  }
  return findings;
}

function problemsOf(info: ModelInfo, { encrypted, plain, lost, long }: EncryptedCount): string[] {
  const run = `run fw db:encrypt ${info.constant}`;
  const strict = [...info.encrypted].filter(([, { allowsPlaintext }]) => !allowsPlaintext).map(([name]) => name);
  const unread =
    strict.length > 0 ? `; until then they can't be read, unless ${strict.join(", ")} have allowPlaintext` : "";
  const stale = encrypted - plain;
  return [
    ...(plain > 0 ? [`${rows(plain)} with values that are not encrypted: ${run}${unread}`] : []),
    ...(stale > 0 ? [`${rows(stale)} encrypted by a previous secret, or for another searchable: ${run}`] : []),
    ...(long > 0
      ? [`${rows(long)} with values that are too long for their column once encrypted: make it t.text`]
      : []),
    ...(lost > 0 ? [`${rows(lost)} that open under no secret: add theirs to SECRET_KEY_BASE_PREVIOUS`] : []),
  ];
}

const rows = (count: number): string => (count === 1 ? "1 row" : `${count} rows`);

function allEncrypted({ encrypted }: ModelInfo): string {
  const lenient = [...encrypted].filter(([, { allowsPlaintext }]) => allowsPlaintext).map(([name]) => name);
  const hint = lenient.length > 0 ? `; allowPlaintext of ${lenient.join(", ")} can be taken away` : "";
  return `${[...encrypted.keys()].join(", ")}: all rows by the current secret${hint}`;
}
