import { Button, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { DragEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { type Group, newGroup, newRule, treeOf } from './builder.ts'
import styles from './group-box.module.css'
import { PartActions } from './part-actions.tsx'
import { RuleRow } from './rule-row.tsx'
import { useBuilder } from './use-builder.tsx'
import { useTotal } from './list-query.ts'

interface GroupBoxProps {
  readonly group: Group
  readonly isRoot?: boolean
}

/** Tests and groups side by side, all or any of which are to hold; and how many there are that fulfil it. */
export const GroupBox = ({ group, isRoot = false }: GroupBoxProps): ReactNode => {
  const { t } = useTranslation('search')
  const builder = useBuilder()
  const { target } = builder
  const { id, join, isNot, children } = group
  const over = (event: DragEvent): void => {
    if (!builder.isDragging()) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div role="group" aria-label={t(`advanced.join.${join}`)}>
      <Stack
        gap={2}
        pad={3}
        className={styles.group}
        data-not={isNot}
        onDragOver={over}
        onDrop={(event) => {
          over(event)
          builder.drop({ groupId: id })
        }}
      >
        <GroupHead group={group} isRoot={isRoot} />
        {children.map((child) => (
          <div
            key={child.id}
            className={styles.child}
            onDragOver={over}
            onDrop={(event) => {
              over(event)
              builder.drop({ groupId: id, beforeId: child.id })
            }}
          >
            {child.kind === 'rule' ? <RuleRow rule={child} /> : <GroupBox group={child} />}
          </div>
        ))}
        {children.length === 0 ? <Text quiet>{t(`advanced.empty.${join}.${target}`)}</Text> : null}
        <AddParts group={group} />
      </Stack>
    </div>
  )
}

const GroupHead = ({ group, isRoot }: Required<GroupBoxProps>): ReactNode => {
  const { t } = useTranslation('search')
  const builder = useBuilder()
  const { id, join, isNot } = group
  return (
    <Row gap={2} wrap>
      {isNot ? <span className={styles.not}>{t('advanced.not')}</span> : null}
      <NativeSelect
        aria-label={t('advanced.joinLabel')}
        value={join}
        data={[
          { value: 'allOf', label: t('advanced.join.allOf') },
          { value: 'anyOf', label: t('advanced.join.anyOf') },
        ]}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value === 'anyOf' ? 'anyOf' : 'allOf'
          builder.replace(id, (part) => (part.kind === 'group' ? { ...part, join: next } : part))
        }}
      />
      <GroupTotal group={group} />
      <PartActions part={group} isRoot={isRoot} />
    </Row>
  )
}

const AddParts = ({ group: { id, join } }: { readonly group: Group }): ReactNode => {
  const { t } = useTranslation('search')
  const builder = useBuilder()
  const { target } = builder
  return (
    <Row gap={2} wrap touch>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size="small" />}
        onClick={() => builder.add(id, newRule(target, target === 'series' ? 'genre' : 'title'))}
      >
        {t('advanced.addRule')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size="small" />}
        onClick={() => builder.add(id, newGroup(join === 'allOf' ? 'anyOf' : 'allOf', [newRule(target, 'tag')]))}
      >
        {t('advanced.addGroup')}
      </Button>
    </Row>
  )
}

const settleMs = 350

const GroupTotal = ({ group }: { readonly group: Group }): ReactNode => {
  const { t } = useTranslation('search')
  const { target } = useBuilder()
  const [settled] = useDebouncedValue(group, settleMs)
  const condition = treeOf(target, settled)
  const total = useTotal(target, condition && { condition, q: '' })
  return (
    <Text as="span" quiet size={13} className={styles.total} role="status">
      {total === undefined ? '' : t(`advanced.total.${target}`, { count: total })}
    </Text>
  )
}
