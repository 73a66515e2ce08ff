/** Asks for the server's token, which is kept in this tab only. */
import { useState } from "preact/hooks";

import { Notice } from "./parts/notice.tsx";
import { keepToken } from "./server/connection.ts";

export function TokenScreen({ wrong, retry }: { wrong: boolean; retry: () => void }) {
  const [token, setToken] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    keepToken(token.trim());
    retry();
  };
  return (
    <div class="token">
      <h1 tabIndex={-1}>This server asks for a token</h1>
      <p>
        It is what <code>REFLECT_API_TOKEN</code> was set to when the server was started. It is kept in this tab only, until you close it.
      </p>
      {wrong && (
        <Notice kind="bad" urgent>
          This is not the token.
        </Notice>
      )}
      <form onSubmit={submit}>
        <label class="field">
          <span>Token</span>
          <input type="password" autoComplete="off" required autoFocus value={token} onInput={(event) => setToken(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={!token.trim()}>
          Come in
        </button>
      </form>
    </div>
  );
}
