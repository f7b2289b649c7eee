import type { Command } from "framewright/generators";

/** Commands for the documents of portals. */
export const commands: readonly Command[] = [
  {
    name: "openapi",
    summary: "Print the OpenAPI document of a portal, write it, or compare it",
    example: "fw openapi --check",
    options: {
      portal: { summary: "The portal, as api_portal; by default all of them are written or compared", value: "NAME" },
      write: { summary: "Write openapi/<portal>.json, to be reviewed as a diff" },
      check: { summary: "Exit 1 if openapi/<portal>.json differs, and print what" },
      file: { summary: "Another file, of one portal", value: "PATH" },
    },
    load: () => import("./openapi.ts"),
  },
  {
    name: "client",
    summary: "Write a typed client of a portal: one TypeScript file without dependencies",
    example: "fw client --portal=api_portal",
    options: {
      portal: { summary: "The portal, as api_portal", value: "NAME" },
      from: {
        summary: "A document of OpenAPI in place of a portal: a file that another application wrote",
        value: "PATH",
      },
      file: { summary: "The file to write; clients/<portal>.ts by default", value: "PATH" },
      check: { summary: "Exit 1 if the file differs, and write nothing; without a portal those of all that have one" },
    },
    load: () => import("./client.ts"),
  },
];
