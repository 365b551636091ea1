import { ActionIcon, Menu } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { Center, Row } from '../../../ui/layout/layout.tsx'
import type { Direction, Part } from './builder.ts'
import styles from './part-actions.module.css'
import { useBuilder } from './use-builder.tsx'

const directions: readonly Direction[] = ['up', 'down', 'in', 'out']
const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

interface PartActionsProps {
  readonly part: Part
  readonly isRoot?: boolean
}

/** A handle to drag by, or to move with the arrows; and a menu for those who have neither. */
export const PartActions = ({ part, isRoot = false }: PartActionsProps): ReactNode => {
  const { t } = useTranslation('search')
  const builder = useBuilder()
  return (
    <Row className={styles.actions}>
      {isRoot ? null : <Handle id={part.id} />}
      <PartMenu part={part} isRoot={isRoot} />
      {isRoot ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('advanced.remove')}
          onClick={() => builder.remove(part.id)}
        >
          <Icon name="close" size="small" />
        </ActionIcon>
      )}
    </Row>
  )
}

const mirrored: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

const Handle = ({ id }: { readonly id: number }): ReactNode => {
  const { t, i18n } = useTranslation('search')
  const builder = useBuilder()
  const press = (event: KeyboardEvent): void => {
    const { key } = event
    const direction = arrows[i18n.dir() === 'rtl' ? (mirrored[key] ?? key) : key]
    if (!direction) return
    event.preventDefault()
    builder.move(id, direction)
    // Moving into another group renders the part again: the focus must follow.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus())
  }
  return (
    <Center
      as="button"
      type="button"
      className={styles.handle}
      data-handle={id}
      draggable
      aria-label={t('advanced.move')}
      title={t('advanced.moveHint')}
      onKeyDown={press}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(id))
        builder.drag(id)
      }}
      onDragEnd={() => builder.drag(undefined)}
    >
      <Icon name="sort" size="small" />
    </Center>
  )
}

const PartMenu = ({ part, isRoot }: Required<PartActionsProps>): ReactNode => {
  const { t } = useTranslation('search')
  const builder = useBuilder()
  const { id } = part
  const negate = (): void => builder.replace(id, (each) => ({ ...each, isNot: !each.isNot }))
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('advanced.more')}>
          <Icon name="more" size="small" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={negate}>{t(part.isNot ? 'advanced.affirm' : 'advanced.negate')}</Menu.Item>
        {isRoot ? null : (
          <>
            <Menu.Item onClick={() => builder.duplicate(id)}>{t('advanced.duplicate')}</Menu.Item>
            {directions.map((direction) => (
              <Menu.Item key={direction} onClick={() => builder.move(id, direction)}>
                {t(`advanced.step.${direction}`)}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
