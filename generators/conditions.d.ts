/** Last registered is asked first: call it after tsx is registered. */
export function addConditions(options?: { framework?: boolean }): void;
