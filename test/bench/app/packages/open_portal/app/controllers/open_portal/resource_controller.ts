import { ResourceController as Base } from "framewright/plugins/resources";
import Controller from "./concerns/controller.ts";

export default class ResourceController extends Controller(Base) {}
