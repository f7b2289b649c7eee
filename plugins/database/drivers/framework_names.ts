/** What the names of the framework's own tables begin with: everywhere in its code, and in the database unless configured. */
export const FRAMEWORK_PREFIX = "framewright_";
/** As long as the default at most, so that names of indexes which fit stay so. */
const PREFIX = /^[a-z][a-z0-9_]{1,11}$/;

/** Whether a table is the framework's own, by its name in code. */
export const isFrameworkTable = (name: string): boolean => name.toLowerCase().startsWith(FRAMEWORK_PREFIX);

/** Whether names of tables may begin so. */
export const isTablePrefix = (text: string): boolean => PREFIX.test(text);

/** The name that a table or index of the framework has in the database; other names as they are. */
export const storedName = (name: string, prefix: string = FRAMEWORK_PREFIX): string =>
  name.startsWith(FRAMEWORK_PREFIX) ? prefix + name.slice(FRAMEWORK_PREFIX.length) : name;
