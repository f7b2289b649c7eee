import { join } from "node:path";
import { defineGenerator } from "framewright/generators";

/** `fw g acme:announcement summer`: a file with the text of an announcement. */
export default defineGenerator({
  name: "acme:announcement",
  summary: "Create an announcement",
  example: "fw generate acme:announcement summer --text=Sale",
  args: "<name>",
  options: { text: { summary: "What is announced", value: "TEXT" } },
  directory: join(import.meta.dirname, ".."),
  run({ args: [name = ""], options: { text = "News" }, template, note }) {
    template(`app/announcements/${name}.txt`, "announcement.txt", { name, text });
    note(`Announce it: fw acme:announce "${text}"`);
  },
});
