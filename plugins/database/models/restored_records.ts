/** Module-level: freed with the records: those that are written as they were stored. */
const restored = new WeakSet<object>();

export const markRestored = (record: object): void => void restored.add(record);
/** Whether a record is written as it was stored before, and not as a new one. */
export const isRestored = (record: object): boolean => restored.has(record);
