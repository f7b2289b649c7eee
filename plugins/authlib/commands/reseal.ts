import { type CommandContext, withApp } from "framewright/generators";

/** `fw authlib:reseal`: re-encrypts what accounts stored with previous secrets, table by table. Exits 1 if rows can be decrypted with none. */
export default async function reseal({ options }: CommandContext): Promise<void> {
  const env = typeof options.env === "string" ? { env: options.env } : {};
  await withApp(env, async (app) => {
    const counts = await app.kernel.service("auth", "fw authlib:reseal").reseal();
    if (options.json) console.log(JSON.stringify(counts, null, 2));
    else if (counts.length === 0) console.log("no account type stores long-lived data that depends on SECRET_KEY_BASE");
    else
      for (const { table, moved, bound, lost } of counts)
        console.log(
          `${table}: ${moved} moved, ${bound} end with their secret, ${lost} open under no configured secret`,
        );
    if (counts.some(({ lost }) => lost > 0)) process.exitCode = 1;
  });
}
