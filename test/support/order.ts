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
  "host/slow",
  "host/speed",
  "kernel/",
  "plugins/authlib/promises/enumeration",
  "plugins/authlib/promises/storm",
  "plugins/passwords/",
  "plugins/resources/components",
  "system/first_visit",
];

const placeIn = (parts: readonly string[], file: string) => parts.findIndex((part) => file.startsWith(part)) >>> 0;

/** Compares two files, named from test/ on, by which begins first. */
export const byTurn = (a: string, b: string): number => placeIn(long, a) - placeIn(long, b) || (a < b ? -1 : 1);

/** Whether a file, named from test/ on, measures times. */
export const isTimed = (file: string): boolean => timed.some((part) => file.startsWith(part));
