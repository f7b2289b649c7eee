import type { Generator } from "framewright/generators";

export const generators: Readonly<Record<string, Generator>> = {};
