# What people write in a `run:` step, which GitHub runs with `bash -e`: one operation after the other, asked for every
# INTERVAL seconds until it has ended.
for id in $(jq -r '.operations[].id' "$OPERATIONS"); do
  while true; do
    status=$(curl -s -H "Authorization: Bearer $API_KEY" "$BASE_URL/projects/$PROJECT_ID/operations/$id" | jq -r '.operation.status')
    case "$status" in
      finished) break ;;
      failed) exit 1 ;;
    esac
    sleep "$INTERVAL"
  done
done
