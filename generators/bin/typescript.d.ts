export function registerTypeScript(root: string | undefined): Promise<void>;
