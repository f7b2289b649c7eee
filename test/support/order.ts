/** What takes longest begins first, so that no core waits at the end; the rest follows by name. */
const long = [
  "system/",
  "generators/application",
  "plugins/scoping/tenancy",
  "plugins/jobs/",
  "plugins/wizards/crashes",
  "generators/",
  "plugins/authlib/",
  "examples/",
];

/** What holds measured times against limits, and must not have more company than there are cores. */
const timed = [
  "generators/new",
  "host/attacks",
  "host/json_bodies",
  "host/database_failures",
  "host/forms.",
  "host/slow",
  "host/speed",
  "kernel/",
  "plugins/authlib/common_passwords",
  "plugins/authlib/promises/enumeration",
  "plugins/authlib/promises/storm",
  "plugins/attachments/thumbnails",
  "plugins/boards/boards.",
  "plugins/dashboards/pages",
  "plugins/database/connection.",
  "plugins/database/hosts.",
  "plugins/database/lock_wait",
  "plugins/passwords/",
  "plugins/fields/components",
  "plugins/resources/import_costs",
  "plugins/resources/worst_texts",
  "system/first_visit",
];

const placeIn = (parts: readonly string[], file: string) => parts.findIndex((part) => file.startsWith(part)) >>> 0;

/**
 * Folders whose files run in one process, one after the other: starting a process, loading the framework and compiling
 * its hot paths takes longer than most of these files do.
 */
const shared = ["host/", "plugins/", "generators/", "examples/"];

/** Files among them that need a process of their own: what takes longest, and what changes the whole process. */
const alone = [
  "examples/guides",
  "examples/readmes",
  "examples/tutorial",
  "generators/agents",
  "generators/application",
  "generators/commands",
  "generators/db_pull.",
  "generators/installed",
  "generators/omitted_plugins.",
  "generators/plugin_package",
  "generators/saas",
  "host/memory",
  "plugins/database/lean_start",
  "host/shutdown",
  "plugins/jobs/",
  "plugins/resources/overrides", // lists the methods of all controllers, to which plugins add theirs
  "plugins/scoping/tenancy.",
  "plugins/wizards/crashes",
];

const isAmong = (parts: readonly string[], file: string) => parts.some((part) => file.startsWith(part));

/** Whether a file, named from test/ on, measures times. */
export const isTimed = (file: string): boolean => isAmong(timed, file);

/** Whether a file, named from test/ on, may run in a process in which others ran before. */
export const isShared = (file: string): boolean => isAmong(shared, file) && !isAmong(alone, file) && !isTimed(file);

/** Compares two files, named from test/ on, by which begins first; short files that share processes fill the end. */
export const byTurn = (a: string, b: string): number =>
  Number(isShared(a)) - Number(isShared(b)) || placeIn(long, a) - placeIn(long, b) || (a < b ? -1 : 1);
