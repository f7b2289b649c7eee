export function compilerFlags(): readonly string[];
