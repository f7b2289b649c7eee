import { SafeHtml } from "framewright/host";
import { CaptureTag, type Context } from "liquidjs";

/** A captured piece was escaped while it was rendered; it must not be escaped again where it is put. */
export class SafeCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = yield this.liquid.renderer.renderTemplates(this.templates, context);
    (context.bottom() as Record<string, unknown>)[this.variable] = new SafeHtml(captured);
  }
}
