/** Something that is asked of the server and may come, or fail, or be asked anew. */
import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import { inWords } from "../server/connection.ts";

export interface Asked<T> {
  value: T | null;
  problem: string;
  loading: boolean;
}

/** Ask when the view opens and whenever `key` changes; the answer to an older question is dropped. */
export function useAsked<T>(key: string, question: () => Promise<T>): Signal<Asked<T>> {
  const asked = useMemo(() => signal<Asked<T>>({ value: null, problem: "", loading: true }), []);
  useEffect(() => {
    let current = true;
    asked.value = { ...asked.peek(), problem: "", loading: true };
    question().then(
      (value) => current && (asked.value = { value, problem: "", loading: false }),
      (error: unknown) => current && (asked.value = { value: null, problem: inWords(error), loading: false }),
    );
    return () => {
      current = false;
    };
  }, [key]);
  return asked;
}
