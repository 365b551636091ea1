import { carryRule } from '../../database/carry-over.ts'

/** The latest settings for any of them, unless there are some for the one that stays. */
export const readerSettingRule = carryRule({
  table: 'reader_setting',
  of: 'series',
  by: ['series_id', 'subject'],
  kind: 'reader_setting',
  owner: 'user_id',
  first: ['own', 'updated_at desc', 'series_id'],
  changedIn: ['updated_at'],
})
