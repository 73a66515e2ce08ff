/** Where the page begins. */
import { render } from "preact";

import { App, readAbout } from "./app.tsx";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/views.css";

void readAbout();
const room = document.getElementById("app");
if (room) {
  room.replaceChildren();
  render(<App />, room);
}
