import { unprocessable } from "framewright/host";

/** 422 that names a parameter of a list. */
export const refuse = (name: string, text: string) => unprocessable(`${name} ${text}.`, { [name]: [text] });
