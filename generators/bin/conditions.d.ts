/** Last registered is asked first: call it after tsx is registered. A built application keeps to its dist. */
export function addConditions(options?: { framework?: boolean; application?: boolean }): void;
