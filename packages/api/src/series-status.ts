import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Id, record, Timestamp } from './schema.ts'
import { ReadingStatus, SeriesDto } from './series.ts'

const tag = 'Series'

export const SeriesReadingStatus = record(
  { seriesId: Id, status: ReadingStatus, updatedAt: Timestamp },
  { title: 'SeriesReadingStatus' },
)
export type SeriesReadingStatus = Static<typeof SeriesReadingStatus>

const example: SeriesReadingStatus = {
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  status: 'paused',
  updatedAt: '2026-11-21T10:00:00.000Z',
}

export const saveReadingStatus = endpoint('PUT /api/v1/series/{id}/reading-status', {
  summary: 'Say how it stands with your reading of a series',
  description: 'What is `paused` or `dropped` is neither on deck nor among what you go on reading.',
  tag,
  access: 'progress:write',
  params: byId,
  body: record({ status: ReadingStatus }, { title: 'NewReadingStatus' }),
  reply: SeriesReadingStatus,
  errors: ['not_found'],
  example: { body: { status: 'paused' }, reply: example },
})

export const clearReadingStatus = endpoint('DELETE /api/v1/series/{id}/reading-status', {
  summary: 'Say nothing of your reading of a series any more',
  tag,
  access: 'progress:write',
  params: byId,
})

export const listSeriesByReadingStatus = listEndpoint('GET /api/v1/user/reading-status', {
  summary: 'The series of which you have said how it stands',
  description: 'What you said last comes first.',
  tag,
  access: 'progress:read',
  query: Type.Object({ status: Type.Optional(ReadingStatus) }),
  item: SeriesDto,
  title: 'SeriesOfReadingStatusPage',
})
