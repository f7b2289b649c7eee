/** The built command. */
export const entry: string;
/** Whether dist/ is what the sources say. */
export function isBuilt(): boolean;
