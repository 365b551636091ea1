import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TermPage } from './term-page.tsx'

const genreRoute = getRouteApi('/signed-in/framed/genres/$name')
const tagRoute = getRouteApi('/signed-in/framed/tags/$name')

export const GenrePage = (): ReactNode => (
  <TermPage kind="genre" name={genreRoute.useParams().name} words={genreRoute.useSearch()} />
)

export const TagPage = (): ReactNode => (
  <TermPage kind="tag" name={tagRoute.useParams().name} words={tagRoute.useSearch()} />
)
