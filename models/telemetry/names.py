"""Every name telemetry tells, in one place.

Names of the GenAI semantic conventions are those of OpenTelemetry's semantic conventions 1.44.0, whose Python
package is opentelemetry-semantic-conventions 0.66b; names of OpenInference are those of
openinference-semantic-conventions 0.1.42. Both are moving: a test compares the names here with the packages,
so that an upgrade which renames one is a decision, not an accident. Names that begin with `reflect.` are
ours.
"""

from __future__ import annotations

SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0"
INSTRUMENTATION = "reflective-graph"

# GenAI conventions: attributes.
OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
AGENT = "gen_ai.agent.name"
CONVERSATION = "gen_ai.conversation.id"
REQUEST_MODEL = "gen_ai.request.model"
RESPONSE_MODEL = "gen_ai.response.model"
REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens"
REQUEST_TEMPERATURE = "gen_ai.request.temperature"
REQUEST_SEED = "gen_ai.request.seed"
FINISH_REASONS = "gen_ai.response.finish_reasons"
OUTPUT_TYPE = "gen_ai.output.type"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
TOKEN_TYPE = "gen_ai.token.type"
TOOL = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
DIMENSIONS = "gen_ai.embeddings.dimension.count"
DATA_SOURCE = "gen_ai.data_source.id"

# GenAI conventions: values of gen_ai.operation.name.
INVOKE_AGENT = "invoke_agent"
CHAT = "chat"
EXECUTE_TOOL = "execute_tool"
EMBEDDINGS = "embeddings"
RETRIEVAL = "retrieval"

# General conventions.
ERROR_TYPE = "error.type"
SERVER_ADDRESS = "server.address"
SERVER_PORT = "server.port"
SERVICE_NAME = "service.name"
SERVICE_VERSION = "service.version"
SERVICE_INSTANCE = "service.instance.id"

# OpenInference: attributes.
SPAN_KIND = "openinference.span.kind"
SESSION = "session.id"
AGENT_NAME = "agent.name"
NODE_NAME = "graph.node.name"
LLM_MODEL = "llm.model_name"
LLM_PROVIDER = "llm.provider"
LLM_PROMPT_TOKENS = "llm.token_count.prompt"
LLM_COMPLETION_TOKENS = "llm.token_count.completion"
LLM_TOTAL_TOKENS = "llm.token_count.total"
LLM_INPUT_MESSAGES = "llm.input_messages"
LLM_OUTPUT_MESSAGES = "llm.output_messages"
MESSAGE_ROLE = "message.role"
MESSAGE_CONTENT = "message.content"
TOOL_NAME = "tool.name"
EMBEDDING_MODEL = "embedding.model_name"
INPUT_VALUE = "input.value"
INPUT_TYPE = "input.mime_type"
OUTPUT_VALUE = "output.value"
OUTPUT_TYPE_OF_VALUE = "output.mime_type"

# OpenInference: values of openinference.span.kind.
AGENT_KIND = "AGENT"
CHAIN_KIND = "CHAIN"
LLM_KIND = "LLM"
TOOL_KIND = "TOOL"
EMBEDDING_KIND = "EMBEDDING"
RETRIEVER_KIND = "RETRIEVER"

# Ours: attributes.
GRAPH = "reflect.graph"
TOP_RUN = "reflect.run.top"
STATUS = "reflect.status"
STOP_REASON = "reflect.stop_reason"
PROJECT = "reflect.project.sha256"
STEP = "reflect.step"
ROLE = "reflect.role"
CONSTRAINED = "reflect.reply.constrained"
SANDBOX = "reflect.sandbox.level"
RETURN_CODE = "reflect.tool.returncode"
TRUNCATED = "reflect.tool.truncated"
OUTCOME = "reflect.tool.outcome"
TEXTS = "reflect.embeddings.texts"
FOUND = "reflect.retrieval.found"
INPUT_CHARS = "reflect.input.chars"
INPUT_SHA256 = "reflect.input.sha256"
OUTPUT_CHARS = "reflect.output.chars"
OUTPUT_SHA256 = "reflect.output.sha256"
RECOVERY = "reflect.recovery"
MEMORY_USE = "reflect.memory.use"
MEMORY_HELPED = "reflect.memory.helped"

# GenAI conventions: metrics.
TOKEN_USAGE = "gen_ai.client.token.usage"
OPERATION_DURATION = "gen_ai.client.operation.duration"

# Ours: metrics.
RUNS = "reflect.runs"
MODEL_CALLS = "reflect.model.calls"
TOOL_CALLS = "reflect.tool.calls"
RECOVERIES = "reflect.recoveries"
MEMORY_HITS = "reflect.memory.hits"
