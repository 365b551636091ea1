import type { ImportKind, ImportState } from '@carrel/api'

export interface ImportTables {
  /** What has been read from another server, and what became of it. */
  import_run: {
    id: string
    kind: ImportKind
    /** Who asked for it: nameless people of theirs are meant to be this one. */
    by_user_id: string
    state: ImportState
    /** 1 while a worker reads, applies or undoes it; else null. One at a time. */
    busy: 1 | null
    /** JSON: a path, the id of an upload or an address. */
    source: string
    /** JSON: which of their libraries is which of ours, as far as it was said. */
    libraries: string
    /** The version that the store says it has. */
    version: string | null
    task_id: string | null
    fault_code: string | null
    fault_message: string | null
    /** JSON: what is taken. */
    choose: string | null
    /** JSON: what was found and matched. */
    report: string
    /** JSON: the next step, and where in what was read it goes on. */
    cursor: string | null
    /** JSON: how much has been taken. */
    taken: string
    created_at: string
    ready_at: string | null
    applied_at: string | null
    undone_at: string | null
    /** The key of the other server, encrypted; null where there is none, and when nothing is kept of what was read. */
    secret: string | null
  }
  /** The records of a store, as they were read, and the matches of its books and series; some hundreds in each row. */
  import_part: {
    import_id: string
    type: string
    place: number
    /** JSON. */
    records: string
  }
  /** What one transaction of an import has done, so that it can be taken back. */
  import_effect: {
    import_id: string
    place: number
    step: string
    /** JSON: what the step needs to take it back. */
    done: string
  }
  /** What has been brought from a kind of server: it is not brought again, even if people have removed it since. */
  import_link: {
    kind: ImportKind
    /** What it is, with its id there. */
    key: string
    /** What it is here; empty where it has no id. */
    ours: string
    import_id: string
    /** JSON: what it held when it was last brought; null where it holds nothing. */
    held: string | null
  }
  /** A file on its way in. */
  import_upload: {
    id: string
    name: string
    size: number
    created_at: string
    changed_at: string
  }
}
