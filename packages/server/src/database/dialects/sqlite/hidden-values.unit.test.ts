import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/smoke/temporary-folder.ts'
import { openConnection } from './connection.ts'
import { hideValues, parametersIn } from './hidden-values.ts'

const texts: Readonly<Record<string, readonly [sql: string, hidden: string, parameters: number]>> = {
  'a list and a limit': [
    'select a from t where b in (?, ?) limit ? offset ?',
    'select a from t where b in (+?, +?) limit +? offset +?',
    4,
  ],
  'question marks in texts and names': [
    `select "a?" from t where b = 'who?' and c = ? and d = 'it''s ?'`,
    `select "a?" from t where b = 'who?' and c = +? and d = 'it''s ?'`,
    1,
  ],
  'nothing to hide': ['select 1', 'select 1', 0],
}

test.for(Object.entries(texts))('W16 parameters are hidden, and nothing else: %s', ([, [sql, hidden, parameters]]) => {
  expect(hideValues(sql)).toBe(hidden)
  expect(parametersIn(sql)).toHaveLength(parameters)
})

test('W16 SQLite plans without the values, so that it need not plan again for others', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'some.db')
  new Sqlite(file)
    .exec(`create table book (id text, state text); create index some on book (id) where state = 'present'`)
    .close()
  const connection = openConnection({ file, mode: 'write' })
  const planFor = (where: string, ...parameters: string[]) =>
    connection.run<{ detail: string }>({ sql: `explain query plan select id from book where ${where}`, parameters })
      .rows[0]?.detail

  expect(planFor('id = ? and state = ?', '1', 'present')).toBe('SCAN book')
  expect(planFor(`id = ? and state = 'present'`, '1')).toBe('SEARCH book USING COVERING INDEX some (id=?)')
  connection.close()
})
