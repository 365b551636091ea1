import { addressOf, type BookDto, type OpenBook, readPagePicture } from '@carrel/api'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { basePath } from '../../../api/base.ts'
import { bookCover } from '../../../lists/item/addresses.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useMay } from '../../../session/me.ts'
import { Cover } from '../../../ui/cover/cover.tsx'
import { Row } from '../../../ui/layout/layout.tsx'
import styles from './spread.module.css'

type OpenPage = OpenBook['pages'][number]

interface SpreadProps {
  readonly book: BookDto
  readonly pages: readonly OpenPage[]
}

/**
 * The book as it lies open, with a place that has its size before anything is there. Whoever does not point at it goes
 * on by the button beside it.
 */
export const Spread = ({ book, pages }: SpreadProps): ReactNode => {
  const seesPages = useMay('pages:read')
  const shown = seesPages ? pages : []
  const onScreen = book.readingDirection === 'rtl' ? shown.toReversed() : shown
  const ratio = onScreen.reduce((sum, page) => sum + ratioOf(page), 0)
  return (
    <AppLink to={paths.read(book.id)} tabIndex={-1} aria-hidden="true" className={styles.link}>
      {shown.length === 0 ? (
        <span className={styles.closed}>
          <Cover src={bookCover(book, 190)} thumbhash={book.placeholder} alt="" isFirst />
        </span>
      ) : (
        <Row
          as="span"
          align="stretch"
          className={styles.spread}
          data-pages={onScreen.length}
          style={{ '--ratio': ratio } as CSSProperties}
        >
          {onScreen.map((page) => (
            <PagePicture key={page.pageNumber} book={book} page={page} />
          ))}
        </Row>
      )}
    </AppLink>
  )
}

const PagePicture = ({ book, page }: { readonly book: BookDto; readonly page: OpenPage }): ReactNode => {
  const [isHere, setHere] = useState(false)
  return (
    <span className={styles.page} style={{ '--share': ratioOf(page) } as CSSProperties}>
      <img
        className={styles.picture}
        data-is-here={isHere}
        src={addressOfPage(book, page)}
        alt=""
        fetchPriority="high"
        decoding="async"
        draggable={false}
        onLoad={() => setHere(true)}
      />
    </span>
  )
}

/** A strip shows its beginning, and a panorama is cut at its sides. */
const [ratioMin, ratioMax, usualRatio] = [0.6, 1.6, 2 / 3]

const ratioOf = ({ width, height }: OpenPage): number =>
  width === null || height === null ? usualRatio : Math.min(ratioMax, Math.max(ratioMin, width / height))

/** The style sheet has the same height. */
const pageHeight = 264

const addressOfPage = ({ id, fileHash }: BookDto, page: OpenPage): string => {
  const width = Math.ceil(pageHeight * ratioOf(page) * Math.min(2, window.devicePixelRatio))
  const query = { width, ...(fileHash !== null && { v: fileHash }) }
  return basePath + addressOf(readPagePicture, { params: { id, number: page.pageNumber }, query })
}
