import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_HEAD_FAILED: (owner: string, message: string) =>
    `what "${owner}" adds to the head of pages failed: ${message}. Fix the function that it gives to layout.head.add(…).`,
});
