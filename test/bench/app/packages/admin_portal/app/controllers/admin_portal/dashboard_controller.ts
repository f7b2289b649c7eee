import { BaseController } from "framewright";
import Controller from "./concerns/controller.ts";

export default class DashboardController extends Controller(BaseController) {
  index() {
    return this.render();
  }
}
