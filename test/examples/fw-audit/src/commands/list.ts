import { type CommandContext, table, withApp } from "framewright/generators";
import type {} from "../contract.ts";
import { errors } from "../errors.ts";
import { whoOf } from "../who.ts";

/** `fw audit:list`: prints the last changes. */
export default async function list({ args, options }: CommandContext): Promise<void> {
  const [model, record] = args;
  const limit = limitOf(options.limit);
  await withApp({}, async ({ kernel }) => {
    if (model !== undefined) kernel.service("database").model(model);
    const filter = { limit, ...(model === undefined ? {} : { models: [model] }) };
    const lines = await kernel.service("audit").lines(record === undefined ? filter : { ...filter, record });
    if (options.json) return console.log(JSON.stringify(lines));
    const { t } = { t: (key: string, vars?: Record<string, unknown>) => kernel.service("i18n").t(key, vars) };
    const rows = lines.map((line) => [
      line.at,
      whoOf(line, t),
      `${t(`audit.kinds.${line.kind}`)} ${line.model} ${line.record}`,
      Object.keys(line.changes).join(" "),
    ]);
    console.log(table([t("audit.when"), t("audit.who"), t("audit.what"), ""], rows));
  });
}

/** @throws AUDIT_LIMIT */
function limitOf(given: unknown): number {
  if (given === undefined) return 50;
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw errors.AUDIT_LIMIT(given);
  return limit;
}
