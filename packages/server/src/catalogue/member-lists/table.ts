/** The lists that files can name. */
export type NamedList = 'read_list' | 'collection'

export interface MemberListTables {
  /** A book is in a list, says its file, whether such a list is made or not. */
  list_claim: {
    book_id: string
    list: NamedList
    name_key: string
    name: string
    /** What it is put in order by; null: the file says no number. */
    place: string | null
  }
  /** Files may say something else of a list, by its name, or of all that a library names, by its id. */
  list_to_follow: {
    kind: NamedList | 'library'
    key: string
    /** Another one each time: what is said while a list is made is looked at again. */
    mark: string
  }
  /** Somebody has deleted what was made of files. */
  declined_list: { list: NamedList; name_key: string; at: string }
}
