/** The hook registered last runs first: call this after registering tsx. A built application uses its dist. */
export function addConditions(options?: { framework?: boolean; application?: boolean }): void;
