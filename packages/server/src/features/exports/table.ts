import type { ExportFormat, ExportType } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface ExportTables {
  /** What a user has had written to a file. As long as it is not completed, its status is that of its task. */
  series_export: {
    id: string
    user_id: string
    export_type: ExportType
    format: ExportFormat
    /** JSON: keys of the catalogue, in order. */
    fields: string
    book_fields: string
    /** JSON; null: all that the user sees. */
    library_ids: string | null
    /** JSON: conditions over series and over books. */
    condition: string | null
    book_condition: string | null
    /** Whoever asked was told paths on the server. */
    sees_paths: Flag
    task_id: string | null
    /** Named here before it is written: what lies beside it under another name is nobody's. */
    file_name: string | null
    /** What the user's access was when it was made. */
    sight: string | null
    row_count: number | null
    size: number | null
    /** Why it cannot be made, for its owner. */
    error: string | null
    created_at: string
    started_at: string | null
    completed_at: string | null
    expires_at: string
  }
}
