-- Names the messages of Apple's Nearby Interaction Accessory Protocol (R4) in Wireshark and tshark:
--
--     wireshark -X lua_script:Scripts/wireshark/nearby-interaction.lua out/NAME/SEED/run.pcapng
--
-- Wireshark's own dissector finds out by discovery which characteristic a handle is; what is written to, or
-- notified by, the two of an accessory's message service is a message. A filter: ni.message == 0x0b

local ni = Proto("ni", "Nearby Interaction Accessory Protocol")

-- R4 3.2, and the vendors' message ids.
local names = {
    [0x01] = "AccessoryConfigurationData", [0x02] = "AccessoryUwbDidStart",
    [0x03] = "AccessoryUwbDidStop", [0x0A] = "Initialize", [0x0B] = "ConfigureAndStart",
    [0x0C] = "Stop", [0x20] = "GetReserved", [0x21] = "SetReserved", [0x2F] = "iOSNotify",
}
local rates = { [0] = "automatic", [10] = "infrequent", [20] = "user interactive" }

-- The characteristics of Qorvo's service and of the Nordic UART Service.
local characteristics = {
    ["2e93998a6a6111eda1eb0242ac120002"] = true, ["2e939af26a6111eda1eb0242ac120002"] = true,
    ["6e400002b5a3f393e0a9e50e24dcca9e"] = true, ["6e400003b5a3f393e0a9e50e24dcca9e"] = true,
}
-- Write Request, Write Command, Notification, Indication (Core Specification Vol 3 Part F 3.4.8).
local opcodes = { [0x12] = true, [0x52] = true, [0x1B] = true, [0x1D] = true }

local f = {
    message = ProtoField.uint8("ni.message", "Message", base.HEX, names),
    major = ProtoField.uint16("ni.major", "Major version"),
    minor = ProtoField.uint16("ni.minor", "Minor version"),
    rate = ProtoField.uint8("ni.rate", "Preferred update rate", base.DEC, rates),
    reserved = ProtoField.bytes("ni.reserved", "Reserved"),
    length = ProtoField.uint8("ni.uwb_length", "UWBConfigData length"),
    uwb = ProtoField.bytes("ni.uwb", "UWBConfigData"),
    shareable = ProtoField.bytes("ni.shareable", "Apple shareable configuration data"),
    data = ProtoField.bytes("ni.data", "Data"),
}
ni.fields = { f.message, f.major, f.minor, f.rate, f.reserved, f.length, f.uwb, f.shareable, f.data }
local malformed = ProtoExpert.new(
    "ni.malformed", "The message does not have the length of its kind", expert.group.MALFORMED,
    expert.severity.ERROR)
ni.experts = { malformed }

local value, uuid, opcode = Field.new("btatt.value"), Field.new("btatt.uuid128"), Field.new("btatt.opcode")

-- Accessory configuration data (R4 3.4.2): sixteen bytes, and as many as the last of them says.
local function configuration(rest, tree)
    if rest:len() < 16 then return false end
    tree:add_le(f.major, rest(0, 2))
    tree:add_le(f.minor, rest(2, 2))
    tree:add(f.rate, rest(4, 1))
    tree:add(f.reserved, rest(5, 10))
    tree:add(f.length, rest(15, 1))
    if rest:len() > 16 then tree:add(f.uwb, rest(16)) end
    return rest:len() == 16 + rest(15, 1):uint()
end

function ni.dissector(_, pinfo, root)
    local info, kind, id = value(), opcode(), uuid()
    if not info or not kind or not id or not opcodes[kind.value] then return end
    if not characteristics[(tostring(id):gsub("[:-]", ""))] then return end
    local bytes = info.range
    if bytes:len() == 0 then return end
    local name = names[bytes(0, 1):uint()] or "message of the manufacturer's own"
    local tree = root:add(ni, bytes, "Nearby Interaction: " .. name)
    tree:add(f.message, bytes(0, 1))
    local isWhole = true
    if bytes:len() > 1 then
        local rest = bytes(1):tvb()
        if bytes(0, 1):uint() == 0x01 then
            isWhole = configuration(rest(), tree)
        else
            tree:add(bytes(0, 1):uint() == 0x0B and f.shareable or f.data, bytes(1))
        end
    elseif name == names[0x01] or name == names[0x0B] then
        isWhole = false
    end
    if not isWhole then tree:add_proto_expert_info(malformed) end
    pinfo.cols.protocol = "NI"
    pinfo.cols.info = name
end

register_postdissector(ni)
