import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookPicture } from '../engine/listen.ts'
import styles from './picture-view.module.css'

interface PictureViewProps {
  readonly picture: BookPicture | undefined
  readonly onClose: () => void
}

/** A picture of the book in the whole window; pressed it is as large as it is. */
export const PictureView = ({ picture, onClose }: PictureViewProps): ReactNode => {
  const { t } = useTranslation(['ebook', 'common'])
  return (
    <Modal
      opened={picture !== undefined}
      onClose={onClose}
      title={t('picture.title')}
      fullScreen
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={{ content: styles.content ?? '', header: styles.header ?? '', body: styles.body ?? '' }}
    >
      {picture === undefined ? null : <Picture key={picture.address} {...picture} />}
    </Modal>
  )
}

const Picture = ({ address, text }: BookPicture): ReactNode => {
  const { t } = useTranslation('ebook')
  const [isLarge, setLarge] = useState(false)
  return (
    <button
      type="button"
      className={styles.stage}
      data-large={isLarge}
      aria-pressed={isLarge}
      aria-label={t('picture.enlarge')}
      onClick={() => setLarge(!isLarge)}
    >
      <img src={address} alt={text} />
    </button>
  )
}
