import * as api from '@carrel/api'
import { exportCatalogue } from '../src/features/exports/tasks.ts'
import { bodyOf } from './outcome.ts'
import { waitUntil } from './smoke/wait-until.ts'
import type { Person, TestServer } from './start-server.ts'
import { workOn } from './work.ts'

/** Waits for the end of an export that a worker has in hand. */
export const endOf = ({ call }: Person, id: string): Promise<api.SeriesExportDto> =>
  waitUntil('the end of the export', async () => {
    const now = bodyOf(await call(api.readSeriesExport, { params: { id } }))
    return now.status === 'pending' || now.status === 'running' ? undefined : now
  })

/** Has a worker make it. */
export const made = async (server: TestServer, person: Person, id: string): Promise<api.SeriesExportDto> => {
  await using _ = workOn(server, [exportCatalogue])
  return await endOf(person, id)
}

export const download = (
  { url }: TestServer,
  { accessToken }: Person,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/api/v1/user/exports/series/${id}/download`, {
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  })

/** What stands in the file of an export that is asked for, made and fetched. */
export const exported = async (
  server: TestServer,
  person: Person,
  body: api.CreateSeriesExportRequest,
): Promise<string> => {
  const { id } = bodyOf(await person.call(api.createSeriesExport, { body }))
  await made(server, person, id)
  return (await download(server, person, id)).text()
}
