import { withApp } from "../support/load_app.ts";
import type { CommandContext } from "./command.ts";

/** `fw db:encrypt`: encrypts the columns of `static encrypts` by the current secret. Exits 1 where a value can't be opened or written. */
export default async function encrypt({ args: [model], options }: CommandContext): Promise<void> {
  const env = typeof options.env === "string" ? { env: options.env } : {};
  await withApp(env, async (app) => {
    const writes = options.check !== true;
    const counts = await app.kernel.service("database", "fw db:encrypt").encryptRows(model, { writes });
    if (options.json) console.log(JSON.stringify(counts, null, 2));
    else if (counts.length === 0) console.log("no model has encrypted columns");
    else
      for (const { model: constant, encrypted, lost, long, taken } of counts)
        console.log(
          `${constant}: ${encrypted} ${writes ? "encrypted" : "to encrypt"}, ${lost} open under no configured secret, ${long} too long for their column, ${taken} not unique`,
        );
    const left = counts.some(
      ({ lost, long, taken, encrypted }) => lost + long + taken > 0 || (!writes && encrypted > 0),
    );
    if (left) process.exitCode = 1;
  });
}
