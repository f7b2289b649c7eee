import { errors } from "./errors.ts";

/** An application brings the packages itself: one with another database installs none of them. @throws FW_POSTGRES_PACKAGE */
export const loadPg = () => load("pg", "npm install pg", async () => (await import("pg")).default);

/** @throws FW_POSTGRES_PACKAGE */
export const loadPglite = () =>
  load("@electric-sql/pglite", "npm install --save-dev @electric-sql/pglite", async () => {
    const { PGlite } = await import("@electric-sql/pglite");
    const { citext } = await import("@electric-sql/pglite/contrib/citext");
    return { PGlite, citext };
  });

async function load<T>(name: string, command: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw Object.assign(errors.FW_POSTGRES_PACKAGE(name, command), { cause });
  }
}
