import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_POSTGRES_PACKAGE: (name: string, command: string) =>
    `postgres() needs the package "${name}", and it is not installed. Run: ${command}`,
  FW_POSTGRES_HOSTS: (why: string) =>
    `the hosts of DATABASE_URL are not understood: ${why}. Write postgres://user:password@db1:5432,db2:5432/name.`,
  FW_PGLITE_IN_USE: (folder: string, pid: number, file: string) =>
    `process ${pid} has the database in ${folder} open, and PGlite is for one process. Stop that process, or use a server: DATABASE_URL=postgres://user:password@127.0.0.1/name. If ${pid} is another program by now, remove ${file}.`,
});
