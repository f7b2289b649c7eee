import { SafeHtml } from "framewright/host";
import { CaptureTag, type Context } from "liquidjs";

/** Captured text is escaped while it is rendered; as SafeHtml it is not escaped again when it is output. */
export class SafeCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = yield this.liquid.renderer.renderTemplates(this.templates, context);
    (context.bottom() as Record<string, unknown>)[this.variable] = new SafeHtml(captured);
  }
}
