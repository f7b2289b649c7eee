import { type Reply, streamReply } from "framewright/host";
import type { ResourceController } from "../controller.ts";
import type { Entry } from "../entry/entry.ts";
import { requestedList } from "../operations/list_context.ts";
import { shownNames } from "../operations/shown_names.ts";
import { type ExportFormat, type ExportWriter, writers } from "./formats.ts";
import { readBatches } from "./read_batches.ts";

/** All rows of a list, as a file: what its columns show, in the order and with the narrowing that were asked for. */
export async function answerExport(controller: ResourceController, format: ExportFormat): Promise<Reply> {
  await controller.authorizeAction("index");
  await controller.authorizeAction("export");
  const names = controller.listOf("Index");
  const list = requestedList(controller, names);
  const shown = shownNames(controller, list.columns ?? names, "columns");
  const writer = writers[format](controller, shown);
  const chunks = written(readBatches(controller, list, controller.loadedFor(shown)), writer);
  const isHead = controller.request.method === "HEAD";
  const filename = `${listName(controller)}-${new Date().toISOString().slice(0, 10)}.${format}`;
  return controller.answer(streamReply({ filename, type: writer.type, chunks: isHead ? chunks : await begun(chunks) }));
}

/** How the addresses of a list end: `posts`, also of `blogging/posts`. */
const listName = ({ about: { registration, parent } }: ResourceController): string =>
  parent?.association.name ?? registration.path.split("/").at(-1)!;

async function* written(batches: AsyncIterable<readonly Entry[]>, writer: ExportWriter): AsyncGenerator<string> {
  let head = writer.head;
  for await (const entries of batches) {
    yield head + writer.write(entries);
    head = "";
  }
}

/** The chunks, once the first one is there: what fails until then is answered as any error. */
async function begun(chunks: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await chunks.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* chunks;
  })();
}
