import type { ExportFormat, ExportType } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface ExportTables {
  /** It holds exports that a user has had written to a file. Until it is completed, its status is that of its task. */
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
    /** The owner saw paths on the server. */
    sees_paths: Flag
    /** It was asked for with a key without `progress:read`. */
    hides_reading: Flag | null
    task_id: string | null
    /** The name is stored before the file is written: a file beside it under another name belongs to no export. */
    file_name: string | null
    /** It is the user's access when the export was made. */
    sight: string | null
    row_count: number | null
    size: number | null
    /** It tells the owner why the export failed. */
    error: string | null
    created_at: string
    started_at: string | null
    completed_at: string | null
    expires_at: string
  }
}
