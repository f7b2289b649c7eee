import { withApp } from "../support/load_app.ts";
import type { CommandContext } from "./index.ts";

/** `fw authlib:reseal`: what accounts stored under previous secrets, table by table; exit 1 where rows open under none. */
export default async function reseal({ options }: CommandContext): Promise<void> {
  const env = typeof options.env === "string" ? { env: options.env } : {};
  await withApp(env, async (app) => {
    const counts = await app.kernel.service("auth", "fw authlib:reseal").reseal();
    if (options.json) console.log(JSON.stringify(counts, null, 2));
    else if (counts.length === 0)
      console.log("no account type stores anything that depends on SECRET_KEY_BASE for long");
    else
      for (const { table, moved, bound, lost } of counts)
        console.log(
          `${table}: ${moved} moved, ${bound} end with their secret, ${lost} open under no configured secret`,
        );
    if (counts.some(({ lost }) => lost > 0)) process.exitCode = 1;
  });
}
